import { startServer } from './server';

export default async function () {
  const server = await startServer();
  process.env.PARLOR_URL = server.url;
  process.env.PARLOR_OWNER = server.owner;
  return () => server.stop();
}

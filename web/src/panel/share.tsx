import { useState } from 'preact/hooks';
import { message } from '../api';
import { Button, copyText, download } from '../ui';

const INLINED = ['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'transform', 'display'];

/** The drawing on the page as an SVG file of its own: the styles become attributes. */
export function drawingAsSvg(): string | null {
  const drawing = document.querySelector<SVGSVGElement>('.board-area svg.drawing');
  if (!drawing) return null;
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const from = [drawing, ...drawing.querySelectorAll('*')];
  const to = [copy, ...copy.querySelectorAll('*')];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const target = to[index] as Element;
    for (const name of INLINED) {
      const value = style.getPropertyValue(name);
      if (name === 'transform' && target.hasAttribute('transform')) continue;
      if (value && value !== 'none' && value !== 'auto') target.setAttribute(name, name === 'transform' ? value.replace('px', '') : value);
      else if (name === 'fill' || name === 'stroke') target.setAttribute(name, value);
    }
    target.removeAttribute('class');
    target.removeAttribute('style');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.removeAttribute('aria-hidden');
  return new XMLSerializer().serializeToString(copy);
}

export interface Copied {
  label: string;
  text: string | (() => Promise<string>);
}

/** Links and texts to copy, and the drawing to save. */
export function Share({ texts, name, saved }: { texts: Copied[]; name: string; saved: (() => Promise<string>) | null }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async (one: Copied) => {
    try {
      const text = typeof one.text === 'string' ? one.text : await one.text();
      setSaid((await copyText(text)) ? `${one.label}: copied` : text);
    } catch (error) {
      setSaid(message(error));
    }
  };
  return (
    <details class="more share">
      <summary>Copy and save</summary>
      <div class="row">
        {texts.map((one) => (
          <Button key={one.label} icon={one.label.includes('link') ? 'link' : 'copy'} label={one.label} kind="quiet" onClick={() => void copy(one)} />
        ))}
        {saved && (
          <Button
            icon="save"
            label="Save the game"
            kind="quiet"
            onClick={() => {
              saved().then(
                (text) => download(`${name}.jsonl`, text, 'application/x-ndjson'),
                (error) => setSaid(message(error)),
              );
            }}
          />
        )}
        <Button
          icon="picture"
          label="Save the board as SVG"
          kind="quiet"
          onClick={() => {
            const svg = drawingAsSvg();
            if (svg) download(`${name}.svg`, svg, 'image/svg+xml');
          }}
        />
      </div>
      <p class="soft said" role="status">
        {said}
      </p>
    </details>
  );
}

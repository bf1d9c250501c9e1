import type { FunctionComponent } from 'preact';
import { Checkers, CheckersNote, CheckersTable } from './checkers';
import { Connect, ConnectTable } from './connect';
import { DarkChess, DarkChessNote, DarkChessTable } from './darkchess';
import { Dominoes, DominoesNote, DominoesTable } from './dominoes';
import { Minesweeper, MinesweeperTable } from './minesweeper';
import type { BoardProps, BoardState } from './state';
import { TicTacToe, TicTacToeNote, TicTacToeTable } from './tictactoe';

interface Drawn {
  Board: FunctionComponent<BoardProps>;
  Table: FunctionComponent<{ state: BoardState }>;
  Note?: FunctionComponent<{ state: BoardState }>;
  flips?: boolean;
}

const BOARDS: Record<string, Drawn> = {
  connect: { Board: Connect, Table: ConnectTable },
  tictactoe: { Board: TicTacToe, Table: TicTacToeTable, Note: TicTacToeNote },
  checkers: { Board: Checkers, Table: CheckersTable, Note: CheckersNote, flips: true },
  minesweeper: { Board: Minesweeper, Table: MinesweeperTable },
  dominoes: { Board: Dominoes, Table: DominoesTable, Note: DominoesNote },
  darkchess: { Board: DarkChess, Table: DarkChessTable, Note: DarkChessNote, flips: true },
};

export const boardOf = (name: string): Drawn | undefined => BOARDS[name];

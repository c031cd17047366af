import { setImmediate as turn } from "node:timers/promises";

/** How long documents are read or written before other work of the process has a turn, in milliseconds. */
const turnMs = 10;

/** Gives other work of the process a turn after each few milliseconds. */
export class Pauses {
  #began = performance.now();

  /** Call it after each document. */
  async next(): Promise<void> {
    if (performance.now() - this.#began < turnMs) return;
    await turn();
    this.#began = performance.now();
  }
}

import type { Readable, Writable } from "node:stream";

export interface BrowserEvent {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId?: string;
}

interface Message extends Partial<BrowserEvent> {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Call {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The limit of one message, in characters: a larger one is not from the commands that are sent here. */
const messageMax = 16_777_216;

/**
 * Speaks the DevTools protocol over the two pipes of `--remote-debugging-pipe`: JSON texts that NUL ends. A pipe,
 * unlike a port, is closed to every other program of the machine.
 */
export class BrowserPipe {
  readonly #input: Writable;
  readonly #onEvent: (event: BrowserEvent) => void;
  readonly #calls = new Map<number, Call>();
  #last = 0;
  #received = "";
  #failure: Error | undefined;

  constructor(input: Writable, output: Readable, onEvent: (event: BrowserEvent) => void) {
    this.#input = input;
    this.#onEvent = onEvent;
    // The exit of the browser is what fails the calls.
    input.on("error", () => {});
    output.on("error", () => {});
    output.setEncoding("utf8").on("data", (text: string) => this.#receive(text));
  }

  /** @returns the result of the command */
  send(method: string, params: object = {}, sessionId?: string): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#last += 1;
    const id = this.#last;
    this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  /** Fails all calls, those in progress and later ones. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#calls.values()) reject(this.#failure);
    this.#calls.clear();
  }

  #receive(text: string): void {
    const parts = text.split("\0");
    const rest = parts.pop() ?? "";
    for (const part of parts) {
      this.#take(JSON.parse(this.#received + part) as Message);
      this.#received = "";
    }
    this.#received += rest;
    if (this.#received.length > messageMax) {
      this.#received = "";
      this.fail(new Error("the browser sent a message that is too large"));
    }
  }

  #take({ id, result, error, method, params, ...rest }: Message): void {
    if (id === undefined) {
      if (method !== undefined) this.#onEvent({ method, params, ...rest });
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  }
}

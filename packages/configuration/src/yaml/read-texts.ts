import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createError } from "@rowhouse/errors";
import { readYaml, type VariableValues } from "./read-yaml.ts";
import { workerUrl, type YamlRequest } from "./worker-url.ts";
import type { ReadYaml } from "./yaml-text.ts";

/** Texts with no more characters in all are read at once; that takes some ten milliseconds. */
const charactersInTurn = 10_000;
/** How long the worker thread waits for further texts, in milliseconds. */
const idleMs = 10_000;
/** A message has at most so many characters, so that the requests of several callers alternate. */
const charactersOfMessage = 300_000;

let worker: YamlWorker | undefined;

/**
 * Reads texts one after the other. The event loop of the process is free meanwhile: more than a few characters are read by a
 * worker thread.
 */
export async function* readTexts(
  texts: readonly string[],
  variables: VariableValues,
): AsyncGenerator<ReadYaml> {
  for (const piece of inPieces(texts)) {
    const characters = piece.reduce((sum, text) => sum + text.length, 0);
    if (characters <= charactersInTurn || workerUrl === undefined) {
      for (const text of piece) yield readYaml(text, variables);
      await turn();
      continue;
    }
    if (worker === undefined || worker.isOver) worker = new YamlWorker(workerUrl);
    yield* await worker.read({ texts: piece, variables });
  }
}

function* inPieces(texts: readonly string[]): Generator<string[]> {
  let piece: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (piece.length > 0 && characters + text.length > charactersOfMessage) {
      yield piece;
      piece = [];
      characters = 0;
    }
    piece.push(text);
    characters += text.length;
  }
  if (piece.length > 0) yield piece;
}

interface Waiting {
  readonly resolve: (read: readonly ReadYaml[]) => void;
  readonly reject: (error: Error) => void;
}

/** A worker thread that answers messages in their order, and ends when none has come for a while. */
class YamlWorker {
  readonly #thread: Worker;
  readonly #waiting: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;
  isOver = false;

  constructor(url: URL) {
    this.#thread = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: 512 } });
    this.#thread.unref();
    this.#thread.on("message", (read: readonly ReadYaml[]) => this.#settle(read));
    this.#thread.on("error", (cause) => this.#fail(cause));
    this.#thread.on("exit", () => this.#fail(new Error("The thread that reads YAML has ended")));
  }

  read(request: YamlRequest): Promise<readonly ReadYaml[]> {
    clearTimeout(this.#idle);
    // While a text is read, the process stays alive.
    this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#thread.postMessage(request);
    });
  }

  #settle(read: readonly ReadYaml[]): void {
    this.#waiting.shift()?.resolve(read);
    if (this.#waiting.length > 0) return;
    this.#thread.unref();
    this.#idle = setTimeout(() => {
      this.isOver = true;
      void this.#thread.terminate();
    }, idleMs).unref();
  }

  #fail(cause: Error): void {
    this.isOver = true;
    for (const { reject } of this.#waiting.splice(0)) {
      reject(createError("SERVICE_UNAVAILABLE", { cause }));
    }
  }
}

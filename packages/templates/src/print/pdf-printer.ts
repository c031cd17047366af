import type { Readable, Writable } from "node:stream";
import { createMutex } from "@rowhouse/limits";
import { z } from "zod";
import { DocumentFault } from "../liquid/document-fault.ts";
import { type ChromiumProcess, startChromium } from "./start-chromium.ts";

export interface PdfPrinter {
  /**
   * Prints HTML to a PDF file, without network and without script.
   *
   * @throws DocumentFault PDF_UNAVAILABLE if there is no Chromium that starts; PDF_FAILED if the document exceeds the
   * limits of time, memory or size
   */
  print(html: string, signal?: AbortSignal): Promise<Uint8Array>;
}

export interface PdfPrinterOptions {
  /** The path of Chromium; undefined if PDF files are not available. */
  readonly path: string | undefined;
  readonly isSandboxed: boolean;
  /** Reports to the operator why a document was not printed. */
  readonly report: (details: { readonly reason: string; readonly log: string }) => void;
}

/** The limit of one document from the start of the browser, in milliseconds. */
const printMs = 30_000;
const bytesMax = 33_554_432;

/** Creates the printer of this process. Each document has a browser of its own, and one browser runs at a time. */
export function createPdfPrinter({ path, isSandboxed, report }: PdfPrinterOptions): PdfPrinter {
  const mutex = createMutex();
  const run = async (html: string, program: string, signal: AbortSignal): Promise<Uint8Array> => {
    let isOpen = false;
    const browser = await startChromium({ path: program, isSandboxed });
    try {
      const { pipe, page } = connect(browser, signal);
      void browser.ended.then(() => pipe.fail(new Error("the browser has ended")));
      await page.open();
      isOpen = true;
      return await page.print(html, bytesMax);
    } catch (error) {
      const reason = signal.aborted ? "the time is over" : String(error);
      await browser.stop();
      report({ reason, log: await browser.ended });
      throw isOpen || signal.aborted ? failed(error) : unavailable(error);
    } finally {
      await browser.stop();
    }
  };
  return {
    print: async (html, signal) => {
      if (path === undefined) throw unavailable();
      const leave = await mutex.acquire();
      try {
        const limit = AbortSignal.timeout(printMs);
        return await run(
          html,
          path,
          signal === undefined ? limit : AbortSignal.any([signal, limit]),
        );
      } finally {
        leave();
      }
    },
  };
}

function connect({ input, output }: ChromiumProcess, signal: AbortSignal) {
  const pipe: BrowserPipe = new BrowserPipe(input, output, (event) => page.take(event));
  const page = createPage(pipe);
  const stop = () => pipe.fail(new Error("the time is over"));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  return { pipe, page };
}

function failed(cause: unknown): DocumentFault {
  const message =
    "The document exceeds the limits of a PDF file: 30 seconds, 1 GiB of memory, 32 MiB";
  return new DocumentFault("PDF_FAILED", message, cause);
}

function unavailable(cause?: unknown): DocumentFault {
  const message = "PDF files are not available: CHROMIUM_PATH must name a Chromium that starts";
  return new DocumentFault("PDF_UNAVAILABLE", message, cause);
}

/** The address of the document inside the browser. No request for it reaches a network. */
const address = "http://document.invalid/";

/** No script, no request, no form, no navigation of a frame; styles and data URLs of the document itself only. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox";

const chunkBytes = 1_048_576;
const pausedRequest = z.object({
  requestId: z.string(),
  request: z.object({ url: z.string() }),
});
const target = z.object({ targetId: z.string() });
const session = z.object({ sessionId: z.string() });
const printed = z.object({ stream: z.string() });
const chunk = z.object({
  data: z.string(),
  base64Encoded: z.boolean().optional(),
  eof: z.boolean(),
});

export interface Page {
  /** Responds to events of the browser; pass all of them. */
  take(event: BrowserEvent): void;
  /** Opens an empty page without script and requests. Its failure means that the browser does not work. */
  open(): Promise<void>;
  /**
   * Prints a document.
   *
   * @param bytesMax the limit of the PDF file
   * @throws if the browser rejects the document, if it crashes, or if the file is too large
   */
  print(html: string, bytesMax: number): Promise<Uint8Array>;
}

/** Creates a page. Its first request gets the document; every other request, of any kind, fails. */
function createPage(pipe: Pick<BrowserPipe, "send" | "fail">): Page {
  let sessionId: string | undefined;
  let html: string | undefined;
  let reportLoaded = () => {};
  const loaded = new Promise<void>((resolve) => {
    reportLoaded = resolve;
  });
  const send = (method: string, params: object = {}) => pipe.send(method, params, sessionId);

  const answerRequest = async ({ requestId, request }: z.output<typeof pausedRequest>) => {
    if (html === undefined || request.url !== address) {
      await send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
      return;
    }
    const body = Buffer.from(html).toString("base64");
    html = undefined;
    const responseHeaders = [
      { name: "Content-Type", value: "text/html; charset=utf-8" },
      { name: "Content-Security-Policy", value: policy },
    ];
    await send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body });
  };

  return {
    take: ({ method, params }) => {
      if (method === "Page.loadEventFired") reportLoaded();
      if (method === "Inspector.targetCrashed") pipe.fail(new Error("the page has crashed"));
      if (method === "Fetch.requestPaused") {
        answerRequest(pausedRequest.parse(params)).catch((error: Error) => pipe.fail(error));
      }
    },
    open: async () => {
      const created = await send("Target.createTarget", { url: "about:blank" });
      const { targetId } = target.parse(created);
      const attached = await send("Target.attachToTarget", { targetId, flatten: true });
      sessionId = session.parse(attached).sessionId;
      await Promise.all([
        send("Emulation.setScriptExecutionDisabled", { value: true }),
        send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
        send("Inspector.enable"),
        send("Page.enable"),
      ]);
    },
    print: async (document, bytesMax) => {
      html = document;
      await Promise.all([send("Page.navigate", { url: address }), loaded]);
      const { stream } = printed.parse(
        await send("Page.printToPDF", {
          printBackground: true,
          preferCSSPageSize: true,
          transferMode: "ReturnAsStream",
        }),
      );
      const chunks: Buffer[] = [];
      let bytes = 0;
      for (;;) {
        const part = chunk.parse(await send("IO.read", { handle: stream, size: chunkBytes }));
        const data = Buffer.from(part.data, part.base64Encoded === true ? "base64" : "utf8");
        bytes += data.length;
        if (bytes > bytesMax) throw new Error(`the PDF file has more than ${bytesMax} bytes`);
        chunks.push(data);
        if (part.eof) return Buffer.concat(chunks);
      }
    },
  };
}

interface BrowserEvent {
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
class BrowserPipe {
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

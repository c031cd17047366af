import { createMutex } from "@rowhouse/limits";
import { DocumentFault } from "../liquid/document-fault.ts";
import { BrowserPipe } from "./browser-pipe.ts";
import { createPage } from "./print-page.ts";
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

import { z } from "zod";
import type { BrowserEvent, BrowserPipe } from "./browser-pipe.ts";

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
export function createPage(pipe: Pick<BrowserPipe, "send" | "fail">): Page {
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

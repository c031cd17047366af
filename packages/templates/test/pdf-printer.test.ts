// Tier: long. Starts a browser.
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPdfPrinter, DocumentFault } from "../src/index.ts";
import { createTestPrinter, hasChromium } from "./chromium.ts";

async function textOf(pdf: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  return (await extractText(document, { mergePages: true })).text;
}

async function faultOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof DocumentFault ? error.code : String(error);
  }
}

describe.skipIf(!hasChromium())("a PDF file", () => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(String(request.url));
    response.end("reached");
  });
  server.on("connection", () => seen.push("connection"));
  let base = "";
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  });
  afterAll(() => server.close());

  it("has the text and the images of its HTML", async () => {
    const image = `data:image/png;base64,${png(2, 2).toString("base64")}`;
    const html = `<!doctype html><title>Invoice</title><style>@page { size: A6 }</style>
      <h1>Invoice 17</h1><p>Für Zoë — 99,50 €</p><img src="${image}">`;
    const pdf = await createTestPrinter().print(html);
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    expect(Buffer.from(pdf).includes("/Subtype /Image")).toBe(true);
    expect(await textOf(pdf)).toMatch(/Invoice 17\s+Für Zoë — 99,50 €/);
  });

  it("reaches no network and no file, and runs no script", async () => {
    const reports: string[] = [];
    const html = `<!doctype html>
      <link rel="preconnect" href="${base}"><link rel="dns-prefetch" href="${base}">
      <link rel="prefetch" href="${base}/prefetch"><link rel="stylesheet" href="${base}/style">
      <meta http-equiv="refresh" content="0;url=${base}/refresh">
      <base href="${base}/">
      <style>@import "${base}/import"; @font-face { font-family: f; src: url("${base}/font") }
        p { background: url("${base}/background"); font-family: f }</style>
      <p id="text">before</p>
      <script>document.getElementById("text").textContent = "SCRIPTED"</script>
      <img src="${base}/image" onerror="document.getElementById('text').textContent = 'SCRIPTED'">
      <img src="relative"><img src="file:///etc/passwd"><iframe src="file:///etc/passwd"></iframe>
      <iframe src="${base}/frame"></iframe><iframe srcdoc="<script>parent.document.title=1</script>framed"></iframe>
      <object data="file:///etc/passwd"></object><embed src="${base}/embed"><video src="${base}/video"></video>
      <form action="${base}/form"><input autofocus></form><p>after</p>`;
    const text = await textOf(await createTestPrinter(reports).print(html));
    expect(text).toMatch(/before/);
    expect(text).toMatch(/after/);
    expect(text).not.toMatch(/SCRIPTED|root:|reached/);
    expect(seen).toEqual([]);
    expect(reports).toEqual([]);
  });

  it("cannot be a page that its HTML names", async () => {
    const refresh = '<meta http-equiv="refresh" content="0;url=file:///etc/passwd"><p>mine</p>';
    expect(await textOf(await createTestPrinter().print(refresh))).toMatch(/mine/);
  });

  it("is not made of a picture that exceeds the memory, and the next document is printed", async () => {
    const reports: string[] = [];
    const printer = createTestPrinter(reports);
    const bomb = `<img src="data:image/png;base64,${png(30_000, 30_000).toString("base64")}">`;
    const outcome = await faultOf(printer.print(bomb));
    // Chromium may also leave out the picture.
    expect([undefined, "PDF_FAILED"]).toContain(outcome);
    expect(await textOf(await printer.print("<p>next</p>"))).toMatch(/next/);
  });

  it("that nobody waits for ends with its browser", async () => {
    // Other printers of this machine have their folders beside it.
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-printer-"));
    vi.stubEnv("TMPDIR", folder);
    const signal = AbortSignal.abort();
    expect(await faultOf(createTestPrinter([]).print("<p>late</p>", signal))).toBe("PDF_FAILED");
    expect(await readdir(folder)).toEqual([]);
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });
});

describe("the program that CHROMIUM_PATH names", () => {
  it("has bounded memory, and nothing of the environment of this process", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-program-"));
    const program = join(folder, "program");
    await writeFile(program, "#!/bin/sh\n(ulimit -d; env) >&2\n", { mode: 0o700 });
    let log = "";
    const printer = createPdfPrinter({
      path: program,
      isSandboxed: true,
      report: (failure) => {
        log = failure.log;
      },
    });
    expect(await faultOf(printer.print("<p>a</p>"))).toBe("PDF_UNAVAILABLE");
    await rm(folder, { recursive: true });
    const [limit, ...variables] = log.trim().split("\n");
    expect(limit).toBe("1048576");
    expect(variables.map((line) => line.split("=")[0]).sort()).toEqual([
      "HOME",
      "PATH",
      "PWD",
      "TMPDIR",
    ]);
  });
});

describe("a process without a Chromium", () => {
  it("reports that PDF files are not available", async () => {
    const printer = createPdfPrinter({ path: undefined, isSandboxed: true, report: () => {} });
    expect(await faultOf(printer.print("<p>a</p>"))).toBe("PDF_UNAVAILABLE");
  });

  it.each(["/no/such/program", "/bin/true", "/etc/passwd"])(
    "reports that PDF files are not available if %s is named as Chromium",
    async (program) => {
      const reports: string[] = [];
      expect(await faultOf(createTestPrinter(reports, program).print("<p>a</p>"))).toBe(
        "PDF_UNAVAILABLE",
      );
      expect(reports).toHaveLength(1);
    },
  );
});

/** A black picture of one bit a pixel, whose bytes are few. */
function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk("IHDR", head),
    pngChunk("IDAT", pixels),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

import { smallPng } from "@rowhouse/testing";

/** A file whose script reports to `beacon` if a browser runs it. */
export interface HostileFile {
  readonly name: string;
  readonly claimedType: string;
  readonly content: Buffer;
}

/** Returns files that are, or pretend to be, a page, a drawing, a document or an image with a script. */
export function hostileFiles(beacon: string): readonly HostileFile[] {
  const script = (file: string) =>
    `new Image().src='${beacon}/${file}';document.title='run';try{top.name='run'}catch{}`;
  const page = (file: string) => `<!doctype html><script>${script(file)}</script>`;
  const drawing = (file: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" onload="${script(file)}"><script>${script(file)}</script></svg>`;
  const gif =
    "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";
  const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00";
  const files: readonly (readonly [string, string, string | Buffer])[] = [
    ["page.html", "text/html", page("page")],
    ["page.png", "image/png", page("page-as-png")],
    ["page.txt", "text/plain", page("page-as-text")],
    ["late.txt", "text/plain", `hello ${page("late-text")}`],
    ["wide.html", "text/html", Buffer.from(`\ufeff${page("wide")}`, "utf16le")],
    ["nul.html", "text/html", `\x00${page("nul")}`],
    ["drawing.svg", "image/svg+xml", drawing("svg")],
    ["drawing.png", "image/png", drawing("svg-as-png")],
    [
      "page.xhtml",
      "application/xhtml+xml",
      `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script("xhtml")}</script></html>`,
    ],
    [
      "page.xml",
      "text/xml",
      `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${script("xml")}</x:script>`,
    ],
    [
      "document.pdf",
      "application/pdf",
      `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n${page("pdf")}`,
    ],
    ["image.gif", "image/gif", `${gif}${page("gif")}`],
    ["script.gif", "image/gif", `GIF89a/*${"x".repeat(20)}*/=1;${script("gif-script")}`],
    ["image.jpeg", "image/jpeg", `${jpeg}\xff\xfe\x01\x00${page("jpeg")}`],
    ["image.png", "image/png", Buffer.concat([smallPng(), Buffer.from(page("png"))])],
    ["code.js", "text/javascript", script("js")],
    ["module.mjs", "application/javascript", script("module")],
    ["style.css", "text/css", `@import url('${beacon}/css');body{background:url('${beacon}/css')}`],
  ];
  return files.map(([name, claimedType, content]) => ({
    name,
    claimedType,
    content: typeof content === "string" ? Buffer.from(content, "latin1") : content,
  }));
}

/** Returns a page that includes a file in every way in which a page can run or show it. */
export function attackOn(address: string): string {
  const url = address.replaceAll("&", "&amp;");
  return `<!doctype html><title>attack</title>
    <iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
    <object data="${url}" type="text/html"></object><embed src="${url}" type="image/svg+xml">
    <img src="${url}"><link rel="stylesheet" href="${url}"><svg><use href="${url}#x"/></svg>
    <script src="${url}"></script><script type="module" src="${url}"></script>
    <video src="${url}"></video><script>try{navigator.serviceWorker.register("${url}").catch(()=>{})}catch{}</script>`;
}

import { describe, expect, it } from "vitest";
import { sniffType } from "../src/index.ts";

const png =
  "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00";
const pngData = `${png}\x1f\x15\xc4\x89\x00\x00\x00\x0aIDAT`;
const gif = "GIF89a\x01\x00\x01\x00\x80\x00\x00";
const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00";

function sniff(bytes: string | Uint8Array, name = "file", claimedType: string | null = null) {
  const head = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
  return sniffType(head, claimedType, name);
}

describe("sniffType", () => {
  it.each([
    ["image/png", pngData],
    ["image/gif", gif],
    ["image/jpeg", jpeg],
    ["image/webp", "RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00"],
    ["image/avif", "\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif"],
    ["video/mp4", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"],
    [
      "video/webm",
      `\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm${"\x00".repeat(40)}`,
    ],
    ["audio/mpeg", `\xff\xfb\x90\x00${"\x00".repeat(413)}\xff\xfb\x90\x00${"\x00".repeat(413)}`],
    ["application/pdf", "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"],
    ["application/pdf", "%PDF-1.7\n<script>alert(1)</script>"],
    ["application/zip", "PK\x03\x04\x14\x00\x00\x00\x00\x00"],
    ["application/x-msdownload", "MZ\x90\x00\x03\x00"],
  ])("finds %s by the bytes alone", async (type, bytes) => {
    expect(await sniff(bytes, "page.html", "text/html")).toBe(type);
  });

  it.each([
    [
      "a page named as an image",
      "<!DOCTYPE html><script>alert(1)</script>",
      "photo.png",
      "text/html",
    ],
    ["a page behind white space and a comment", " \n<!-- x -->\t<HTML>", "a.txt", "text/html"],
    ["a page behind a byte order mark", "\xef\xbb\xbf<body onload=x>", "a.txt", "text/html"],
    ["a page in ISO 8859-1", "<html><p>\xe4\xf6", "a.txt", "text/html"],
    ["an element with a handler", "<img src=x onerror=alert(1)>", "a.txt", "text/html"],
    ["an open comment", `<!-- ${"x".repeat(4000)}`, "a.png", "text/html"],
    ["a drawing", '<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>', "a.png", "image/svg+xml"],
    [
      "a drawing with a declaration",
      '<?xml version="1.0"?>\n<svg:svg xmlns:svg="">',
      "a.png",
      "image/svg+xml",
    ],
    [
      "a page in XML",
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
      "a.png",
      "application/xhtml+xml",
    ],
    [
      "a page with another prefix",
      '<?xml version="1.0"?><x:y xmlns:x="http://www.w3.org/1999/xhtml">',
      "a.xml",
      "application/xhtml+xml",
    ],
    ["another document in XML", '<?xml version="1.0"?><note/>', "a.txt", "application/xml"],
    ["XML without a declaration", "<note/>", "a.xml", "application/xml"],
    ["text that is named as a page", "hello <b>you</b>", "a.html", "text/html"],
    ["text that is named as a drawing", "hello", "a.svg", "application/xml"],
  ])("recognizes %s as markup", async (_case, bytes, name, type) => {
    expect(await sniff(bytes, name, "image/png")).toBe(type);
  });

  it.each([
    ["a GIF with a script", `${gif}/*<script>alert(1)</script>*/`],
    ["a JPEG with a page in its comment", `${jpeg}\xff\xfe\x00\x20<HTML><body>`],
    ["a PNG with a drawing", `${pngData}<svg onload=alert(1)>`],
    ["a JPEG that is also a PDF", `${jpeg}\xff\xfe\x00\x20%PDF-1.4`],
    ["a signature of PNG without an image", "\x89PNG\r\n\x1a\n<script>alert(1)</script>"],
    ["an MP4 with a frame", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom<iframe src=x>"],
    ["a page in UTF-16", "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00"],
    ["text in big-endian UTF-16", "\xfe\xff\x00h\x00i"],
  ])("calls %s bytes of unknown type", async (_case, bytes) => {
    expect(await sniff(bytes, "photo.png", "image/png")).toBe("application/octet-stream");
  });

  it.each(["GIF89a/*=1;alert(1)//*/", "BM is the name of a museum", "ID3 is a format"])(
    "calls words that begin like an image or a sound text: %s",
    async (bytes) => {
      expect(await sniff(bytes, "photo.gif", "image/gif")).toBe("text/plain");
    },
  );

  it("calls only UTF-8 without control characters plain text", async () => {
    expect(await sniff(Buffer.from("Grüße, 世界\r\n"))).toBe("text/plain");
    expect(await sniff("")).toBe("text/plain");
    expect(await sniff("Gr\xfc\xdfe")).toBe("application/octet-stream");
    expect(await sniff("a\x00b")).toBe("application/octet-stream");
    expect(await sniff("a\x08b", "a.html", "text/html")).toBe("application/octet-stream");
  });

  it("accepts a character of UTF-8 that the end of the known bytes cuts", async () => {
    const head = Buffer.from(`${"a".repeat(4099)}ü`).subarray(0, 4100);
    expect(await sniff(head)).toBe("text/plain");
  });

  it("lets the name, then the sender choose between harmless types of text", async () => {
    expect(await sniff("a;b\n1;2", "table.CSV", "application/vnd.ms-excel")).toBe("text/csv");
    expect(await sniff("Gr\xfc\xdfe;1", "table.csv")).toBe("text/csv");
    expect(await sniff('{"a":1}', "x", "application/json; charset=utf-8")).toBe("application/json");
    expect(await sniff('{"a":1}', "x", "application/geo+json")).toBe("application/json");
    expect(await sniff("<gpx/>", "x", "application/gpx+xml")).toBe("application/xml");
    expect(await sniff("alert(1)", "x.js", "text/javascript")).toBe("text/plain");
    expect(await sniff("a{}", "x.css", "text/css")).toBe("text/plain");
  });
});

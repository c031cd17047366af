import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { parse } from "content-disposition";
import { describe, expect, it } from "vitest";
import { headersOf } from "../src/index.ts";

const shown = { isPublic: false, isAttachment: false };

function dispositionOf(mediaType: string, name = "a") {
  return parse(headersOf({ name, mediaType }, shown)["Content-Disposition"] ?? "");
}

describe("headersOf", () => {
  it("isolates the bytes of a private file from every page and cache", () => {
    expect(headersOf({ name: "a.png", mediaType: "image/png" }, shown)).toEqual({
      "Content-Type": "image/png",
      "Content-Disposition": "inline; filename=a.png",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy":
        "default-src 'none'; base-uri 'none'; sandbox; frame-ancestors 'none'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private, no-store",
    });
  });

  it("lets other origins embed a public file, and caches keep it for a minute", () => {
    const headers = headersOf(
      { name: "a.txt", mediaType: "text/plain" },
      { isPublic: true, isAttachment: true },
    );
    expect(headers).toMatchObject({
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": "attachment; filename=a.txt",
      "Content-Security-Policy": "default-src 'none'; base-uri 'none'; sandbox",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Cache-Control": "max-age=60, must-revalidate",
      Vary: "Origin",
    });
  });

  it("lets other origins embed what a link opens, and its reader keep it until the link expires", () => {
    const file = { name: "a.png", mediaType: "image/png" };
    const { Vary, ...headers } = headersOf(file, { ...shown, linkSeconds: 40 });
    expect(Vary).toBe("Origin");
    expect(headers).toEqual({
      ...headersOf(file, shown),
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Cache-Control": "private, max-age=40, must-revalidate",
    });
    expect(headersOf(file, { ...shown, isPublic: true, linkSeconds: 40 })).toEqual(
      headersOf(file, { ...shown, isPublic: true }),
    );
  });

  it.each([
    "application/pdf",
    "image/svg+xml",
    "IMAGE/SVG+XML",
    "text/html",
    "application/xhtml+xml",
    "application/xml",
    "text/xml",
    "text/csv",
    "application/json",
    "image/tiff",
    "application/octet-stream",
    "text/plain, text/html",
    "text/plain;charset=utf-7",
  ])("sends %s as an attachment", (type) => {
    expect(dispositionOf(type).type).toBe("attachment");
  });

  it.each([
    "text/javascript",
    "application/ECMAScript",
    "text/css",
    "application/wasm",
    "text/xsl",
    "application/xslt+xml",
    "application/manifest+json",
    "multipart/x-mixed-replace",
    "text/html\r\nX-Evil: 1",
    "text/html; charset=utf-7",
    "",
    "nothing",
  ])("sends a type that a page could run or that is malformed as unknown: %j", (mediaType) => {
    expect(headersOf({ name: "a", mediaType }, shown)["Content-Type"]).toBe(
      "application/octet-stream",
    );
  });

  it.each([
    ["a line break", "a\r\nSet-Cookie: x=1\u2028.txt", "a__Set-Cookie: x=1_.txt"],
    ["quotes", 'a"; filename="b.exe', 'a"; filename="b.exe'],
    ["a right-to-left override", "photo\u202Egnp.exe", "photo_gnp.exe"],
    ["isolates and marks of direction", "a\u2066b\u2069\u200F\u061C.txt", "a_b___.txt"],
    ["segments of a path", "../..\\etc/passwd", ".._.._etc_passwd"],
    ["escapes of an address", "100%41.txt", "100%41.txt"],
    ["other scripts", "Übersicht 世界.png", "Übersicht 世界.png"],
    ["half a character", "a\ud800.txt", "a\ufffd.txt"],
    ["NUL", "a\u0000.png", "a_.png"],
    ["no characters", "", "file"],
  ])("names a file with %s safely", (_case, name, expected) => {
    expect(dispositionOf("image/png", name)).toMatchObject({
      type: "inline",
      parameters: { filename: expected },
    });
  });

  it("bounds a name to 255 bytes and keeps its extension", () => {
    const fits = `${"a".repeat(251)}.png`;
    expect(dispositionOf("image/png", fits).parameters.filename).toBe(fits);
    const { filename = "" } = dispositionOf("image/png", `${"😀".repeat(255)}.png`).parameters;
    expect(filename).toBe(`${"😀".repeat(62)}.png`);
    const { filename: dots = "" } = dispositionOf("image/png", `a.${"b".repeat(400)}`).parameters;
    expect(dots).toBe(`a.${"b".repeat(63)}`);
  });

  it("returns only values that an HTTP server sends", () => {
    const names = Array.from({ length: 192 }, (_, block) =>
      String.fromCharCode(...Array.from({ length: 64 }, (_, index) => block * 64 + index)),
    );
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    for (const name of names) {
      for (const [header, value] of Object.entries(
        headersOf({ name, mediaType: "image/png" }, shown),
      )) {
        response.setHeader(header, value);
        expect(value).toMatch(/^[\x20-\x7e]*$/);
      }
    }
  });
});

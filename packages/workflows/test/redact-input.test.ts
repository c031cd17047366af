import { describe, expect, it } from "vitest";
import { redactBody, redactHeaders, redactQuery } from "../src/webhook/read-call.ts";

describe("the redaction of a webhook's input", () => {
  it("every header that carries a credential is redacted, in any letter case", () => {
    const headers = { Authorization: "a", COOKIE: "b", "Proxy-Authorization": "c", "X-Key": "d" };
    const redaction = { redactHeaders: ["x-KEY"], signature: null };
    expect(redactHeaders({ ...headers, accept: "*/*" }, redaction)).toEqual({
      authorization: "[redacted]",
      cookie: "[redacted]",
      "proxy-authorization": "[redacted]",
      "x-key": "[redacted]",
      accept: "*/*",
    });
  });

  it.each([
    [{ kind: "GITHUB" as const, secrets: [] }, "x-hub-signature-256"],
    [{ kind: "GITHUB" as const, secrets: [] }, "x-hub-signature"],
    [{ kind: "STRIPE" as const, secrets: [], toleranceSeconds: 1 }, "stripe-signature"],
    [{ kind: "STANDARD_WEBHOOKS" as const, secrets: [], toleranceSeconds: 1 }, "webhook-signature"],
    [
      {
        kind: "HMAC" as const,
        header: "X-Mine",
        prefix: "",
        encoding: "HEX" as const,
        secrets: [],
      },
      "x-mine",
    ],
  ])("the signature of a call is redacted: %o", (signature, header) => {
    const kept = redactHeaders({ [header]: "sig", a: "b" }, { redactHeaders: [], signature });
    expect(kept).toEqual({ [header]: "[redacted]", a: "b" });
  });

  it("the named query parameters are redacted, also in lists", () => {
    expect(redactQuery({ key: ["a", "b"], Key: "c", other: "d" }, ["key"])).toEqual({
      key: "[redacted]",
      Key: "c",
      other: "d",
    });
  });

  it.each([
    ["/a", { a: { b: 1 }, c: 2 }, { a: "[redacted]", c: 2 }],
    ["/a/b", { a: { b: null, d: 1 } }, { a: { b: "[redacted]", d: 1 } }],
    [
      "/items/*/key",
      { items: [{ key: 1, n: 1 }, { n: 2 }, 3] },
      { items: [{ key: "[redacted]", n: 1 }, { n: 2 }, 3] },
    ],
    [
      "/*/key",
      { a: { key: 1 }, b: { key: 2 } },
      { a: { key: "[redacted]" }, b: { key: "[redacted]" } },
    ],
    ["/1/x", [{ x: 1 }, { x: 2 }], [{ x: 1 }, { x: "[redacted]" }]],
    ["/a~1b/c~0d", { "a/b": { "c~d": 1 } }, { "a/b": { "c~d": "[redacted]" } }],
    ["/a/b/c", { a: 1 }, { a: 1 }],
    ["/a", null, null],
  ])("the value at %s of the body is redacted", (pointer, body, kept) => {
    expect(redactBody(body, [pointer])).toEqual(kept);
  });
});

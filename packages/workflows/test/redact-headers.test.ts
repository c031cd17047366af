import { expect, it } from "vitest";
import { redactHeaders } from "../src/webhook/webhook-input.ts";

it("keeps every header that carries a credential out of the history, in whatever spelling", () => {
  const headers = { Authorization: "a", COOKIE: "b", "Proxy-Authorization": "c", "X-Key": "d" };
  expect(redactHeaders({ ...headers, accept: "*/*" }, ["x-KEY"])).toEqual({
    authorization: "[redacted]",
    cookie: "[redacted]",
    "proxy-authorization": "[redacted]",
    "x-key": "[redacted]",
    accept: "*/*",
  });
});

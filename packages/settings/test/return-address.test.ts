import { describe, expect, it } from "vitest";
import { allowedReturnAddress, definitionOf } from "../src/index.ts";

const isSetting = (address: string) =>
  definitionOf("auth.return_addresses").schema.safeParse([address]).success;

describe("auth.return_addresses", () => {
  it.each([
    "https://app.example.com",
    "https://app.example.com/",
    "https://app.example.com/reset",
    "https://app.example.com/reset?locale=de",
    "https://app.example.com:8443/reset",
    "https://app.example.com/*",
    "https://app.example.com/account/*",
    "https://xn--bcher-kva.example/*",
    "http://localhost:5173/*",
    "http://127.0.0.1:5173/reset",
    "http://[::1]:5173/*",
  ])("takes %s", (address) => {
    expect(isSetting(address)).toBe(true);
  });

  it.each([
    "",
    "*",
    "/reset",
    "app.example.com/*",
    "https://*",
    "https://*.example.com/*",
    "https://app.example.com*",
    "https://app.example.com/acc*",
    "https://app.example.com/account/*/x",
    "https://app.example.com/?x=/*",
    "https://app.example.com/#/reset",
    "https://app.example.com/#/*",
    "http://app.example.com/*",
    "http://localhost.example.com/*",
    "http://127.0.0.1.example.com/*",
    "https://user@app.example.com/*",
    "https://user:word@app.example.com/*",
    "https://@app.example.com/*",
    "https://APP.example.com/*",
    "https://app.example.com:443/*",
    "https://bücher.example/*",
    "https://app.example.com/a/../*",
    "https://app.example.com/%2e%2e/*",
    "https://app.example.com//*",
    "https:app.example.com/*",
    "https:\\\\app.example.com\\*",
    "javascript:alert(1)",
    "javascript://app.example.com/*",
    "data:text/html,x/*",
    "ftp://app.example.com/*",
    `https://app.example.com/${"x".repeat(2000)}`,
  ])("refuses %j", (address) => {
    expect(isSetting(address)).toBe(false);
  });
});

describe("an address to return to", () => {
  const patterns = [
    "https://app.example.com/account/*",
    "https://exact.example.com/reset?locale=de",
    "https://root.example.com",
    "http://localhost:5173/*",
  ];

  it.each([
    ["https://app.example.com/account/"],
    ["https://app.example.com/account/reset"],
    ["https://app.example.com/account/reset?to=https://other.example.com/"],
    ["https://exact.example.com/reset?locale=de"],
    ["https://root.example.com", "https://root.example.com/"],
    ["https://root.example.com/"],
    ["http://localhost:5173/"],
    ["http://localhost:5173/reset"],
  ])("is %s, which the setting allows", (asked, normal = asked) => {
    expect(allowedReturnAddress(patterns, asked)).toBe(normal);
  });

  it.each([
    "",
    "/account/reset",
    "//app.example.com/account/reset",
    "https://app.example.com/account",
    "https://app.example.com/accounts/reset",
    "https://app.example.com/",
    "https://app.example.com/account/../evil",
    "https://app.example.com/account/%2e%2e/evil",
    "https://app.example.com/account/.%2E/evil",
    "https://app.example.com/account/%252e%252e/evil",
    "https://app.example.com/account/..%2fevil",
    "https://app.example.com/account/..%5cevil",
    "https://app.example.com/account/..\\evil",
    "https://app.example.com/account//evil",
    "https://app.example.com/account/reset#token=mine",
    "https://app.example.com/account/\treset",
    "https://app.example.com/account/ reset",
    " https://app.example.com/account/reset",
    "https://app.example.com/account/ä",
    "https://app.example.com.evil.example/account/reset",
    "https://app.example.com@evil.example/account/reset",
    "https://app.example.com:8443/account/reset",
    "https://app.example.com\\@evil.example/account/reset",
    "https://evil.example/https://app.example.com/account/",
    "https://evil.example/?https://app.example.com/account/reset",
    "https://user@app.example.com/account/reset",
    "https://APP.example.com/account/reset",
    "https:///app.example.com/account/reset",
    "https:/app.example.com/account/reset",
    "http://app.example.com/account/reset",
    "HTTPS://app.example.com/account/reset",
    "https://exact.example.com/reset",
    "https://exact.example.com/reset?locale=en",
    "https://exact.example.com/reset?locale=de&x=1",
    "https://root.example.com/other",
    "http://localhost:5174/",
    "http://localhost:5173@evil.example/",
    "http://127.0.0.1:5173/",
    "https://localhost:5173/",
    "javascript:alert(1)",
    "javascript://app.example.com/account/%0aalert(1)",
    "data:text/html,x",
  ])("is not %j", (asked) => {
    expect(allowedReturnAddress(patterns, asked)).toBeUndefined();
  });

  it("is none while the setting is empty", () => {
    expect(allowedReturnAddress([], "https://app.example.com/account/reset")).toBeUndefined();
  });
});

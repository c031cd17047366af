import { expect, it } from "vitest";
import { sourceOf } from "../src/index.ts";

it("a source is an IPv4 address in any spelling, or the /64 of an IPv6 address", () => {
  expect(sourceOf("192.0.2.1")).toBe(sourceOf("::ffff:192.0.2.1"));
  expect(sourceOf("192.0.2.1")).toBe(sourceOf("::ffff:c000:201"));
  expect(sourceOf("2001:db8:0:1::1")).toBe(sourceOf("2001:0db8:0000:0001:ffff:ffff:ffff:ffff"));
  expect(sourceOf("2001:db8:0:1::1")).not.toBe(sourceOf("2001:db8:0:2::1"));
});

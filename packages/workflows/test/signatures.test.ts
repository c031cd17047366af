import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSignatureGood, type SignatureStyle } from "../src/webhook/verify-signature.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const now = 1_700_000_000;

describe("the examples of signatures that senders publish", () => {
  it("GitHub: Validating webhook deliveries, Testing the webhook payload validation", () => {
    const call = {
      headers: {
        "x-hub-signature-256":
          "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      },
      body: bytes("Hello, World!"),
    };
    const secret = "It's a Secret to Everybody";
    expect(isSignatureGood({ kind: "GITHUB" }, [secret], call, now)).toBe(true);
    expect(isSignatureGood({ kind: "GITHUB" }, ["another"], call, now)).toBe(false);
  });

  it("Standard Webhooks: the specification's signature scheme", () => {
    const style: SignatureStyle = { kind: "STANDARD_WEBHOOKS", toleranceSeconds: 300 };
    const call = {
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature":
          "v1,bm9ldHUjKzFob2VudXRob2VodWUzMjRvdWVvdW9ldQo= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      body: bytes('{"test": 2432232314}'),
    };
    const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
    expect(isSignatureGood(style, secrets, call, 1_614_265_330)).toBe(true);
    expect(isSignatureGood(style, secrets, call, 1_614_265_330 + 301)).toBe(false);
    expect(isSignatureGood(style, secrets, call, 1_614_265_330 - 301)).toBe(false);
    const renamed = { ...call, headers: { ...call.headers, "webhook-id": "msg_other" } };
    expect(isSignatureGood(style, secrets, renamed, 1_614_265_330)).toBe(false);
  });

  it("Stripe: Verify webhook signatures manually", () => {
    const style: SignatureStyle = { kind: "STRIPE", toleranceSeconds: 300 };
    const body = bytes('{"id": "evt_test_webhook", "object": "event"}');
    const secret = "whsec_test_secret";
    const signed = createHmac("sha256", secret).update(`${now}.`).update(body).digest("hex");
    const call = (header: string) => ({ headers: { "stripe-signature": header }, body });
    const good = (header: string, at = now) =>
      isSignatureGood(style, ["old", secret], call(header), at);
    expect(
      good(
        `t=${now},v1=${signed},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`,
      ),
    ).toBe(true);
    expect(good(`t=${now},v1=${"0".repeat(64)},v1=${signed}`)).toBe(true);
    expect(good(`t=${now},v0=${signed}`)).toBe(false);
    expect(good(`t=${now + 1},v1=${signed}`)).toBe(false);
    expect(good(`t=${now},v1=${signed}`, now + 301)).toBe(false);
  });
});

describe("an HMAC in a header of the sender's choice", () => {
  const style = (encoding: "HEX" | "BASE64", prefix = ""): SignatureStyle => ({
    kind: "HMAC",
    header: "X-Signature",
    prefix,
    encoding,
  });
  const body = bytes('{"a":1}');
  const sign = (encoding: "hex" | "base64") =>
    createHmac("sha256", "a secret").update(body).digest(encoding);

  it("a signature is valid in hex, in base64 and after a prefix", () => {
    const cases = [
      [style("HEX"), sign("hex")],
      [style("HEX"), sign("hex").toUpperCase()],
      [style("BASE64"), sign("base64")],
      [style("HEX", "sha256="), `sha256=${sign("hex")}`],
    ] as const;
    for (const [how, signature] of cases) {
      const call = { headers: { "x-signature": signature }, body };
      expect(isSignatureGood(how, ["a secret"], call, now)).toBe(true);
    }
  });

  it.each([
    ["missing", {}],
    ["empty", { "x-signature": "" }],
    ["cut short", { "x-signature": sign("hex").slice(0, -2) }],
    ["in another encoding", { "x-signature": sign("base64") }],
    ["in another header", { "x-signature-2": sign("hex") }],
  ])("a signature %s is not valid", (_what, headers: Record<string, string>) => {
    expect(isSignatureGood(style("HEX"), ["a secret"], { headers, body }, now)).toBe(false);
  });

  it("a signature of another body, or without a secret to check it, is not valid", () => {
    const headers = { "x-signature": sign("hex") };
    expect(isSignatureGood(style("HEX"), ["a secret"], { headers, body: bytes("{}") }, now)).toBe(
      false,
    );
    expect(isSignatureGood(style("HEX"), [], { headers, body }, now)).toBe(false);
  });
});

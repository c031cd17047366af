// Tiers: all, long. Counts the steps of hundreds of readings; five times as many in a long run.
import { hostileUnits, openStepCounter } from "@rowhouse/testing";
import { afterAll, describe, expect, it } from "vitest";
import { caseKey } from "../src/compile/compiled.ts";
import { compileCondition } from "../src/compile/condition.ts";
import { createRecurrence } from "../src/compile/recurrence.ts";
import { responseBody, retryAfterMs } from "../src/effect/http-step.ts";
import { parseTemplate } from "../src/template/parse-template.ts";
import { parseWebhookQuery } from "../src/webhook/read-call.ts";
import { isSignatureGood, type SignatureStyle } from "../src/webhook/verify-signature.ts";

const counter = await openStepCounter();
afterAll(() => counter.close());

const units = [
  ...hostileUnits,
  ...[
    "{{a}}",
    "{{a ",
    '{{"',
    "??",
    "1+",
    "a&&",
    "!",
    "[1,",
    "a?a:",
    "has(a.",
    "*/1,",
    "1-2,",
    "t=1,",
    "v1=a,",
    "v1,a ",
  ],
];
const body = Buffer.from("{}");
const signed = (style: SignatureStyle, header: string) => (text: string) =>
  isSignatureGood(
    style,
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    {
      headers: { "webhook-id": "a", "webhook-timestamp": "1", [header]: text },
      body: Buffer.from("{}"),
    },
    1,
  );

describe("twice the text takes at most in proportion more steps", () => {
  it.each<[string, (text: string) => unknown]>([
    ["a template", parseTemplate],
    ["a placeholder", (text) => parseTemplate(`{{${text}}}`)],
    ["a condition", compileCondition],
    ["a text of a condition", (text) => compileCondition(`start == "${text}"`)],
    ["a schedule", (text) => createRecurrence(text, "UTC")],
    ["a part of a schedule", (text) => createRecurrence(`${text} * * * *`, "UTC")],
    ["the query of a webhook", parseWebhookQuery],
    ["a key of a case", (text) => caseKey(text)],
    ["the type of a response", (text) => responseBody(body, text, 200, "auto")],
    ["a charset", (text) => responseBody(body, `text/plain;${text}`, 500, "auto")],
    ["a requested pause", (text) => retryAfterMs(429, `Mon${text}`, 0)],
    ["GitHub's signature", signed({ kind: "GITHUB" }, "x-hub-signature-256")],
    ["Stripe's signature", signed({ kind: "STRIPE", toleranceSeconds: 300 }, "stripe-signature")],
    [
      "a standard signature",
      signed({ kind: "STANDARD_WEBHOOKS", toleranceSeconds: 300 }, "webhook-signature"),
    ],
  ])(
    "in %s",
    async (_part, read) => {
      expect(await counter.findExcess(read, units)).toEqual([]);
    },
    120_000,
  );
});

import { z } from "zod";
import { toJson } from "../base/json.ts";
import { refuseIssues } from "../compile/parse-definition.ts";
import type { Trigger } from "../definition/definition.ts";
import { dataObject } from "../definition/step-fields.ts";
import { redactBody, redactHeaders, redactQuery } from "../webhook/read-call.ts";

type Query = Record<string, string | string[]>;
const text = z.string();
const queryValue = z.union([text, z.array(text)]);
const query = dataObject.check(({ value, issues }) => {
  for (const [name, item] of Object.entries(value)) {
    if (queryValue.safeParse(item).success) continue;
    const message = "Must be a text or a list of texts";
    issues.push({ code: "custom", message, path: [name], input: item });
  }
}) as z.ZodType<Query, Query>;
const webhookInput = z.strictObject({
  query: query.default({}),
  body: z.unknown().default(null),
  meta: z.looseObject({ headers: z.record(z.string(), z.string()).optional() }).default({}),
});

const moment = z.iso.datetime({ offset: true });
const scheduleInput = z.strictObject({
  scheduledAt: moment.optional(),
  firedAt: moment.optional(),
  previous: moment.nullable().default(null),
});

const row = dataObject.nullable().default(null);
const eventInput = z.strictObject({
  event: z.enum(["insert", "update", "delete"]).optional(),
  old: row,
  new: row,
  changed: z.array(z.string()).default([]),
});

/**
 * Returns the `start.data` of a run that is started by hand: in the shape of the trigger, with its defaults.
 *
 * @param pointer the position of the input in the body: `/data`
 * @returns JSON, redacted like the input of a call
 * @throws AppError BODY_INVALID
 */
export function triggerInput(trigger: Trigger, input: unknown, pointer: string): string {
  switch (trigger.kind) {
    case "webhook": {
      const { query, body, meta } = parseAs(webhookInput, input, pointer);
      const headers =
        meta.headers === undefined ? {} : { headers: redactHeaders(meta.headers, trigger) };
      return toJson({
        query: redactQuery(query, trigger.redactQuery),
        body: redactBody(body, trigger.redactBody),
        meta: { ...meta, ...headers },
      });
    }
    case "databaseEvent": {
      const { event, ...change } = parseAs(eventInput, input, pointer);
      const { schema, table, on } = trigger;
      const occurredAt = new Date().toISOString();
      return toJson({ event: event ?? on[0], schema, table, ...change, occurredAt });
    }
    case "manual":
      return toJson(input);
    case "schedule": {
      const now = new Date().toISOString();
      return toJson({ scheduledAt: now, firedAt: now, ...parseAs(scheduleInput, input, pointer) });
    }
    default:
      return trigger satisfies never;
  }
}

function parseAs<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  pointer: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : refuseIssues(parsed.error.issues, pointer);
}

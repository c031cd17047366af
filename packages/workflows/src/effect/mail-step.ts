import { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import { attachmentsMax } from "../definition/outside-steps.ts";

const recipientsMax = 50;

const mail = z.object({
  to: z
    .union([z.email().transform((one) => [one]), z.array(z.email()).min(1).max(recipientsMax)])
    .transform((all) => [...new Set(all)]),
  subject: z
    .string()
    .min(1)
    .max(500)
    // A line break would start another header.
    .regex(/^[^\r\n]*$/),
  text: z.string().max(200_000),
  html: z.string().max(400_000).nullable(),
  attachments: z
    .union([z.guid().transform((one) => [one]), z.array(z.guid()).max(attachmentsMax)])
    .transform((all) => [...new Set(all)]),
});

/**
 * Checks the rendered templates of a mail step.
 *
 * @throws RunFault MAIL_INVALID
 */
export function mailOf(input: JsonObject): z.output<typeof mail> {
  const parsed = mail.safeParse(input);
  if (parsed.success) return parsed.data;
  const part = String(parsed.error.issues[0]?.path[0] ?? "to");
  throw new RunFault("MAIL_INVALID", `The mail cannot be sent: the field ${part} is not valid`);
}

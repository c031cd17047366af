import { z } from "zod";
import { isMailKey } from "./mail-kinds.ts";

/** What a trigger of the system schema puts into the outbox: a mail without a secret, so that it need not be sealed. */
export const noticeSchema = z.object({
  template: z.string().refine(isMailKey),
  userId: z.string(),
  to: z.object({ email: z.string(), name: z.string(), language: z.string().nullable() }),
  variables: z.record(z.string(), z.string()).optional(),
  /** The addresses that it tells of; those of several transactions are gathered in one mail. */
  people: z.array(z.string()).optional(),
});
type Notice = z.output<typeof noticeSchema>;

/** Addresses that a mail names at most. */
const namedMax = 20;

/** What its template may name besides the reader. */
export function noticeVariables({ variables, people }: Notice): Record<string, string> {
  if (people === undefined) return variables ?? {};
  const more = people.length - namedMax;
  const named = people.slice(0, namedMax).join(", ");
  return { ...variables, administrators: more > 0 ? `${named}, +${more}` : named };
}

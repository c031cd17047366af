import { z } from "zod";
import { isMailKey } from "./mail-kinds.ts";

/**
 * The content of a notice, which a trigger of the system schema adds to the outbox. It has no secret, so it is not
 * encrypted.
 */
export const noticeSchema = z.object({
  template: z.string().refine(isMailKey),
  userId: z.string(),
  to: z.object({ email: z.string(), name: z.string(), language: z.string().nullable() }),
  variables: z.record(z.string(), z.string()).optional(),
  /** The addresses that the notice lists; notices of several transactions are merged into one mail. */
  people: z.array(z.string()).optional(),
});
type Notice = z.output<typeof noticeSchema>;

/** Maximum number of addresses that a mail lists. */
const namedMax = 20;

/** Template variables of a notice besides the reader. */
export function noticeVariables({ variables, people }: Notice): Record<string, string> {
  if (people === undefined) return variables ?? {};
  const more = people.length - namedMax;
  const named = people.slice(0, namedMax).join(", ");
  return { ...variables, administrators: more > 0 ? `${named}, +${more}` : named };
}

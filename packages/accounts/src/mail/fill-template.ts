import { type MailTexts, type MailVariables, renderTemplate } from "./render-template.ts";

export interface Reader {
  readonly email: string;
  readonly name: string;
}

/**
 * Renders the mail for its reader.
 *
 * @throws if Liquid rejects the template or it takes too long
 */
export function fillTemplate(
  template: MailTexts,
  reader: Reader,
  variables: MailVariables,
): Promise<MailTexts> {
  return renderTemplate(template, {
    ...variables,
    name: greetingOf(reader),
    email: reader.email,
  });
}

// Mail programs turn texts with these characters into links.
const linkLike = /[/\\@]|\.\p{L}{2}/u;
const nameMax = 60;

/**
 * The reader's name in a mail. At registration, name and address come from the caller, and the address may belong to
 * another person. A name that could carry a message or a link to that person is replaced by the address.
 */
function greetingOf({ name, email }: Reader): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();
  return line === "" || line.length > nameMax || linkLike.test(line) ? email : line;
}

import { isStorableText } from "@rowhouse/wire";
import { z } from "zod";

const nameMax = 100;
const uriMax = 1000;

/** A client's name without characters that a page shows as nothing or that reorder the text around them. */
export function cleanName(text: string | undefined, otherwise: string): string {
  const clean = (text ?? "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, "")
    .trim()
    .slice(0, nameMax)
    .trim();
  return clean === "" || !isStorableText(clean) ? otherwise : clean;
}

/** The page of a client, if it is an https address. */
export function cleanUri(text: string | undefined): string | null {
  if (text === undefined || text.length > uriMax || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return protocol === "https:" && username === "" && password === "" ? href : null;
}

/** What documents and registrations have in common (RFC 7591); other members are ignored. */
export const clientMetadata = z.object({
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/** Whether a client asks for the code flow, which is the only one. */
export function usesCodes(metadata: z.infer<typeof clientMetadata>): boolean {
  const { grant_types: grants, response_types: responses } = metadata;
  return (
    (grants === undefined || grants.includes("authorization_code")) &&
    (responses === undefined || responses.includes("code"))
  );
}

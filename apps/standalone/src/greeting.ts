import { firstSignInMinutes } from "@rowhouse/accounts";
import type { NewAdministrator } from "./first-administrator.ts";

export interface GreetingFacts {
  readonly url: string;
  readonly administrator: NewAdministrator | undefined;
  readonly adminEmail: string;
  /** The file with the URL of an embedded database. */
  readonly databaseUrlFile: string | undefined;
  /** Folder of the embedded database's files, if it is not in the data directory. */
  readonly filesElsewhere: string | undefined;
  readonly sampleLoaded: boolean;
}

/** Returns the text for the operator: the URL, how to sign in, and how to open the database. */
export function greet(facts: GreetingFacts): string {
  const { url, administrator, databaseUrlFile } = facts;
  const email = administrator?.email ?? facts.adminEmail;
  const password = administrator?.password ?? "<password>";
  const lines = ["", `Rowhouse is ready at ${url}`, ""];
  if (administrator !== undefined) {
    // In the fragment, the code reaches no log of a server.
    lines.push(
      `Open this link to sign in; it works once, within ${firstSignInMinutes} minutes:`,
      `  ${url}/admin/auth/complete#code=${administrator.code}`,
      "",
    );
  }
  if (administrator !== undefined) lines.push(`  Administrator  ${administrator.email}`);
  if (administrator?.password !== undefined) {
    lines.push(`  Password       ${administrator.password}   (shown this once)`);
  }
  if (databaseUrlFile !== undefined) {
    lines.push(`  Database       psql "$(cat '${databaseUrlFile}')"`);
  }
  if (facts.filesElsewhere !== undefined) lines.push(`  Its files      ${facts.filesElsewhere}`);
  if (facts.sampleLoaded) lines.push(`  Sample         ${url}/api/fleet/table/vehicles`);
  lines.push(
    "",
    "Sign in:",
    `  curl -s ${url}/api/auth/login -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify({ email, password })}'`,
    "",
    "Ctrl-C stops everything.",
    "",
  );
  return lines.join("\n");
}

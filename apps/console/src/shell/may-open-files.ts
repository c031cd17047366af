import { navigationQuery, personQuery } from "./navigation.ts";
import { queryClient } from "./query.ts";
import { needWords } from "./words-store.ts";

/**
 * Whether the person may open the page of files, before anything of it loads: those who may read files, and administrators,
 * who begin and end their use there.
 */
export async function mayOpenFiles(): Promise<boolean> {
  const [{ resources }, { isAdministrator }] = await Promise.all([
    queryClient.fetchQuery(navigationQuery),
    queryClient.fetchQuery(personQuery),
  ]);
  if (isAdministrator) await needWords("administration");
  return (
    isAdministrator ||
    resources.some(
      ({ schema, name, actions }) =>
        schema === "system" && name === "files" && actions.includes("READ"),
    )
  );
}

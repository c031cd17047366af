import { navigationQuery } from "./navigation.ts";
import { queryClient } from "./query.ts";

/** Whether the person may read files, before anything of their page loads. */
export async function mayReadFiles(): Promise<boolean> {
  const { resources } = await queryClient.fetchQuery(navigationQuery);
  return resources.some(
    ({ schema, name, actions }) =>
      schema === "system" && name === "files" && actions.includes("READ"),
  );
}

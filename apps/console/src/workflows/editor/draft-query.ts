import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { type Definition, isJsonObject } from "../model/definition.ts";

type Workflow = AdminOperations["GET /workflows/{id}"]["answer"]["data"];

/** The draft of a workflow as the service has it. */
export interface StoredDraft {
  readonly workflow: Workflow;
  readonly definition: Definition;
  readonly etag: string | undefined;
}

/** Reads an answer with a workflow. */
export function storedDraft(answer: {
  readonly data: Workflow;
  readonly etag: string | undefined;
}): StoredDraft {
  const { data, etag } = answer;
  return { workflow: data, etag, definition: isJsonObject(data.definition) ? data.definition : {} };
}

/** `GET /admin/api/workflows/{id}` with the tag of its draft. The editor begins with an answer from after it was opened. */
export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflow-draft", id],
    queryFn: async ({ signal }) =>
      storedDraft(await client.admin.get("/workflows/{id}", { path: { id }, signal })),
    refetchOnMount: "always",
    // What is typed is based on it, so it stays while the editor is open.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client } from "../../shell/client.ts";
import { useLanguage } from "../../shell/language-provider.tsx";
import { loadKindTexts, translateKinds } from "./kind-texts.ts";

/** The kinds of steps and triggers, with the JSON Schema of each. */
export type StepKinds = AdminOperations["GET /workflow-step-kinds"]["answer"]["data"];
/** A kind of step. */
export type StepKind = StepKinds["steps"][number];
/** A kind of trigger. */
export type TriggerKindSchema = StepKinds["triggers"][number];

/** `GET /admin/api/workflow-step-kinds`. They change with the version of the service only. */
export const stepKindsQuery = queryOptions({
  queryKey: ["workflow-step-kinds"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => (await client.admin.get("/workflow-step-kinds", { signal })).data,
});

/** The kinds of steps and triggers in the person's language; undefined until they are loaded. */
export function useStepKinds(): StepKinds | undefined {
  const language = useLanguage();
  const { data: kinds } = useQuery(stepKindsQuery);
  const { data: translate } = useQuery({
    queryKey: ["workflow-kind-texts", language],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => loadKindTexts(language),
  });
  return useMemo(
    () =>
      kinds === undefined || translate === undefined ? undefined : translateKinds(kinds, translate),
    [kinds, translate],
  );
}

/** Returns the function that names a kind of step as the editor does; an unknown one is named by itself. */
export function useKindName(): (kind: string) => string {
  const kinds = useStepKinds();
  const titles = useMemo(
    () => kinds && new Map(kinds.steps.map(({ kind, title }) => [kind, title])),
    [kinds],
  );
  return (kind) => (titles === undefined ? "" : (titles.get(kind) ?? kind));
}

/** The kinds of triggers in the order of their choice. */
export const triggerKinds = ["webhook", "schedule", "databaseEvent", "manual"] as const;

export type TriggerKind = (typeof triggerKinds)[number];

/** The kind of a definition's trigger; undefined for one that these pages do not know. */
export function triggerKindOf(definition: unknown): TriggerKind | undefined {
  const kind = (definition as { readonly trigger?: { readonly kind?: unknown } } | null)?.trigger
    ?.kind;
  return triggerKinds.find((one) => one === kind);
}

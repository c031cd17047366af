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

import { readJson } from "@rowhouse/client";
import { useMemo, useState } from "react";
import { client } from "../../shell/client.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import { writeCode } from "../model/code-text.ts";
import type { Definition } from "../model/definition.ts";
import { type DefinitionFault, type PlacedFault, placeFaults } from "../model/faults.ts";
import { triggerKey } from "../model/outline.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import type { Draft } from "./use-draft.ts";

/** What the service says of a definition. */
interface Check {
  readonly faults: readonly DefinitionFault[];
  /** Whether it is about the definition as it is now. */
  readonly isCurrent: boolean;
  readonly failure: unknown;
  retry(): void;
}

const none: readonly DefinitionFault[] = [];

/** Asks the service for the faults of a definition after each change. */
function useCheck(id: string, definition: Definition | undefined): Check {
  const body = useMemo(
    () => (definition === undefined ? "" : writeCode({ definition })),
    [definition],
  );
  const { last, isCurrent, failure, retry } = useDraftAnswer({
    key: ["workflow-check", id],
    body,
    load: async (text, signal) => {
      const data = readJson(text) as { readonly definition: unknown };
      const { faults } = (await client.admin.post("/workflow-definitions/check", { data, signal }))
        .data;
      return faults.map((fault) => ({ ...fault, path: fault.path ?? "" }));
    },
  });
  return { faults: body === "" ? none : (last ?? none), isCurrent, failure, retry };
}

/** The faults of a draft: of the last attempt to store it, else of the check, else of the last attempt to publish it. */
export function useEditorFaults({ id, definition, refused }: Draft, kinds: StepKinds) {
  const check = useCheck(id, definition);
  const [published, setPublished] = useState(none);
  const [areShown, show] = useState(false);
  const known = refused ?? (check.faults.length > 0 ? check.faults : published);
  const placed = useMemo(
    () => (definition === undefined ? [] : placeFaults(definition, kinds.steps, known)),
    [definition, kinds, known],
  );
  const counts = useMemo(() => countFaults(placed), [placed]);
  const errors = placed.filter(({ severity }) => severity !== "WARNING");
  return {
    check,
    known,
    placed,
    /** The numbers of faults by the key of the step, or of the trigger. */
    counts,
    errors,
    /** Whether their person has opened the list, or has to see it. */
    areShown: areShown || refused !== undefined,
    toggle: () => show(!areShown),
    /** Shows the faults for which a draft was not published. */
    refusePublishing: (faults: readonly DefinitionFault[]) => {
      setPublished(faults);
      show(true);
    },
    /** The faults of the last attempt to publish are those of an earlier draft. */
    forgetPublishing: () => setPublished(none),
  };
}

export type EditorFaults = ReturnType<typeof useEditorFaults>;

function countFaults(faults: readonly PlacedFault[]) {
  const counts = new Map<string, { errors: number; warnings: number }>();
  for (const { step, severity } of faults) {
    const key = step?.key ?? triggerKey;
    const count = counts.get(key) ?? { errors: 0, warnings: 0 };
    if (severity === "WARNING") count.warnings += 1;
    else count.errors += 1;
    counts.set(key, count);
  }
  return counts;
}

import { parseJson } from "@rowhouse/client";
import { useMemo } from "react";
import { client } from "../../shell/client.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import { writeCode } from "../model/code-text.ts";
import type { Definition } from "../model/definition.ts";
import type { DefinitionFault } from "../model/faults.ts";

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
export function useCheck(id: string, definition: Definition | undefined): Check {
  const body = useMemo(
    () => (definition === undefined ? "" : writeCode({ definition })),
    [definition],
  );
  const { last, isCurrent, failure, retry } = useDraftAnswer({
    key: ["workflow-check", id],
    body,
    load: async (text, signal) => {
      const data = parseJson(text) as { readonly definition: unknown };
      const { faults } = (await client.admin.post("/workflow-definitions/check", { data, signal }))
        .data;
      return faults.map((fault) => ({ ...fault, path: fault.path ?? "" }));
    },
  });
  return { faults: body === "" ? none : (last ?? none), isCurrent, failure, retry };
}

import type { AdminOperations } from "@rowhouse/client";
import { useEffect, useState } from "react";
import { client } from "../../shell/client.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import type { TemplateParts } from "./template-parts.ts";

/** A draft as the service takes it: changed parts, and values in place of the sample values. */
export type TemplateDraft = AdminOperations["POST /templates/{id}/preview"]["data"];
export type RenderedMail = AdminOperations["POST /templates/{id}/preview"]["answer"]["data"];

/** The mail that a draft makes. */
export interface TemplatePreview {
  /** The last mail that could be rendered. */
  readonly mail: RenderedMail | undefined;
  /** Whether the draft has faults. */
  readonly isRefused: boolean;
  /** A failure that is no fault of the draft. */
  readonly failure: unknown;
  /** Whether the mail is that of the draft as it is now. */
  readonly isCurrent: boolean;
  faultAt(pointer: string): string | undefined;
  retry(): void;
}

/**
 * Asks for the mail of a draft after each change.
 *
 * @param stored the parts that the draft changes: with others, the same draft makes another mail
 */
export function useTemplatePreview(
  id: string,
  stored: TemplateParts,
  draft: TemplateDraft,
): TemplatePreview {
  const { answer, refusal, failure, isCurrent, retry } = useDraftAnswer({
    key: ["template", id, stored],
    body: JSON.stringify(draft),
    load: async (body, signal) => {
      const data = JSON.parse(body) as TemplateDraft;
      const options = { path: { id }, data, signal };
      return (await client.admin.post("/templates/{id}/preview", options)).data;
    },
  });
  const [mail, setMail] = useState(answer);
  useEffect(() => {
    if (answer !== undefined) setMail(answer);
  }, [answer]);
  return {
    mail,
    failure,
    isCurrent: isCurrent && answer !== undefined,
    isRefused: refusal !== undefined,
    faultAt: (pointer) => refusal?.faults.find(({ path }) => path === pointer)?.message,
    retry,
  };
}

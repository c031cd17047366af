import type { AdminOperations } from "@rowhouse/client";
import { useEffect, useState } from "react";
import { client } from "../../shell/client.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";

/** A draft as the service takes it: changed parts, and values in place of the sample values of a mail. */
export type TemplateDraft = AdminOperations["POST /templates/{id}/preview"]["data"];
type Rendered = AdminOperations["POST /templates/{id}/preview"]["answer"]["data"];
export type RenderedMail = Extract<Rendered, { readonly kind: "MAIL" }>;
export type RenderedDocument = Extract<Rendered, { readonly kind: "DOCUMENT" }>;

/** What a draft makes. */
export interface TemplatePreview<Shown> {
  /** The last mail or document that could be rendered. */
  readonly shown: Shown | undefined;
  /** Whether the draft has faults. */
  readonly isRefused: boolean;
  /** A failure that is no fault of the draft. */
  readonly failure: unknown;
  /** Whether `shown` is that of the draft as it is now. */
  readonly isCurrent: boolean;
  faultAt(pointer: string): string | undefined;
  retry(): void;
}

/**
 * Asks for the mail or the document of a draft after each change.
 *
 * @param stored the parts that the draft changes: with others, the same draft makes something else
 * @param draft undefined while a part cannot be read
 * @param take returns what the service rendered, of the kind of the template
 */
export function useTemplatePreview<Shown extends Rendered>(
  id: string,
  stored: object,
  draft: TemplateDraft | undefined,
  take: (rendered: Rendered) => Shown,
): TemplatePreview<Shown> {
  const { answer, refusal, failure, isCurrent, retry } = useDraftAnswer({
    key: ["template", id, stored],
    body: draft === undefined ? "" : JSON.stringify(draft),
    load: async (body, signal) => {
      const data = JSON.parse(body) as TemplateDraft;
      const options = { path: { id }, data, signal };
      return take((await client.admin.post("/templates/{id}/preview", options)).data);
    },
  });
  const [shown, setShown] = useState(answer);
  useEffect(() => {
    if (answer !== undefined) setShown(answer);
  }, [answer]);
  return {
    shown,
    failure,
    isCurrent: isCurrent && answer !== undefined,
    isRefused: refusal !== undefined || draft === undefined,
    faultAt: (pointer) => refusal?.faults.find(({ path }) => path === pointer)?.message,
    retry,
  };
}

/** Returns the mail that the service rendered. */
export function requireRenderedMail(rendered: Rendered): RenderedMail {
  if (rendered.kind !== "MAIL") throw new Error("the preview is not that of a mail");
  return rendered;
}

/** Returns the document that the service rendered. */
export function requireRenderedDocument(rendered: Rendered): RenderedDocument {
  if (rendered.kind !== "DOCUMENT") throw new Error("the preview is not that of a document");
  return rendered;
}

import type { AdminOperations } from "@rowhouse/client";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface PreviewPanelProps<Shown> {
  readonly preview: TemplatePreview<Shown>;
  readonly text: string;
  /** Says that the panel shows what was rendered before the faults. */
  readonly refused: string;
  readonly children: (shown: Shown) => ReactNode;
}

/** What a draft makes, beside its parts. */
export function PreviewPanel<Shown>({
  preview,
  text,
  refused,
  children,
}: PreviewPanelProps<Shown>) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { shown, failure, isCurrent, isRefused, retry } = preview;
  return (
    <Section title={t("preview")} text={text}>
      {failure !== null && <FailureNotice error={failure} onRetry={retry} />}
      {isRefused && <Notice kind="info">{refused}</Notice>}
      {shown === undefined && failure === null && !isRefused && (
        <Skeleton label={words("loading")} rows={6} />
      )}
      {shown !== undefined && (
        <div
          aria-busy={!isCurrent && !isRefused && failure === null}
          className={classes(
            "grid rounded-panel border border-line bg-surface",
            !isCurrent && "text-ink-2",
          )}
        >
          {children(shown)}
        </div>
      )}
    </Section>
  );
}

interface HtmlFrameProps {
  readonly title: string;
  /** The address with the ticket of the page. */
  readonly src: string;
}

/** HTML of a template as a reader sees it, in a page of its own without script and requests. */
export function HtmlFrame({ title, src }: HtmlFrameProps) {
  return (
    <iframe
      title={title}
      src={src}
      sandbox=""
      referrerPolicy="no-referrer"
      className="h-120 w-full rounded-control border border-line"
      // Mails and documents are written for white paper, whatever the theme is.
      style={{ backgroundColor: "white", colorScheme: "light" }}
    />
  );
}

/** A draft as the service takes it: changed parts, and values in place of the sample values of a mail. */
type TemplateDraft = AdminOperations["POST /templates/{id}/preview"]["data"];
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

interface TestMailProps {
  readonly id: string;
  /** The draft as the service takes it. */
  readonly sent: TemplateDraft;
}

/** Sends the mail of a draft to oneself. */
export function TestMail({ id, sent }: TestMailProps) {
  const t = useTranslations("templates");
  const [delivered, setDelivered] = useState<{ readonly to: string; readonly response: string }>();
  const test = useTask(async () => {
    setDelivered(undefined);
    const options = { path: { id }, data: sent };
    const { data } = await client.admin.post("/templates/{id}/test-mail", options);
    setDelivered(data);
  }, []);
  return (
    <>
      <Button isBusy={test.isBusy} onPress={test.run}>
        {t("testMail")}
      </Button>
      {test.failure !== undefined && (
        <div className="order-first w-full">
          <Notice kind="danger">{test.failure}</Notice>
        </div>
      )}
      {delivered !== undefined && (
        <div className="order-first w-full">
          <Notice kind="ok">{t("delivered", delivered)}</Notice>
        </div>
      )}
    </>
  );
}

import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { WhyLink } from "./why-link.tsx";

/** What stands where there are no rows, with a way to get some. */
export function EmptyRows(props: {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onNew: (() => void) | null;
  /** Path of the request, to explain its answer. */
  readonly path: string;
}) {
  const t = useTranslations("grid");
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
      <p className="text-4 font-medium">{t(props.isFiltered ? "noMatch" : "noRows")}</p>
      <p className="max-w-90 text-ink-2">{t(props.isFiltered ? "noMatchText" : "noRowsText")}</p>
      {props.isFiltered ? (
        <ToolButton onClick={props.onClear}>{t("clearFilter")}</ToolButton>
      ) : (
        props.onNew !== null && <ToolButton onClick={props.onNew}>{t("new")}</ToolButton>
      )}
      <WhyLink path={props.path} />
    </div>
  );
}

/** A failed request, in words, with what one can do. */
export function RowsFailure(props: {
  readonly error: unknown;
  readonly action: string;
  readonly onAction: () => void;
  /** Path of the request, to explain its refusal; none for a write. */
  readonly path?: string;
}) {
  const describe = useFailureText();
  return (
    <div className="border-line border-b p-2">
      <Notice kind="danger">
        <span className="mr-3">{describe(props.error)}</span>
        <button type="button" onClick={props.onAction} className="min-h-6 font-medium underline">
          {props.action}
        </button>{" "}
        {props.path !== undefined && <WhyLink path={props.path} />}
      </Notice>
    </div>
  );
}

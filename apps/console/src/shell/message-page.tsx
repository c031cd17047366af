import { type ReactNode, useEffect } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../ui/classes.ts";

/** Shown at an address without a page. */
export function MissingPage({ isInFrame = false }: { readonly isInFrame?: boolean }) {
  const t = useTranslations("missing");
  return (
    <MessagePage title={t("title")} text={t("text")} isInFrame={isInFrame}>
      <a href="/app" className="text-accent underline underline-offset-2">
        {t("back")}
      </a>
    </MessagePage>
  );
}

/** Shown instead of a page whose code failed. */
export function FailurePage() {
  const t = useTranslations("failure");
  return (
    <MessagePage title={t("title")} text={t("text")}>
      <button
        type="button"
        className="text-accent underline underline-offset-2"
        onClick={() => location.reload()}
      >
        {t("reload")}
      </button>
    </MessagePage>
  );
}

/** A heading, a sentence and a way to continue: a page of its own, or the content of a frame. */
function MessagePage(props: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
  readonly isInFrame?: boolean;
}) {
  const Place = props.isInFrame === true ? "div" : "main";
  useEffect(() => {
    document.title = props.title;
  }, [props.title]);
  return (
    <Place
      className={classes(
        "grid place-items-center p-6",
        props.isInFrame === true ? "min-h-[60dvh]" : "min-h-dvh",
      )}
    >
      <div className="max-w-96">
        <h1 className="text-5 font-semibold">{props.title}</h1>
        <p className="mt-2 mb-4 text-ink-2">{props.text}</p>
        {props.children}
      </div>
    </Place>
  );
}

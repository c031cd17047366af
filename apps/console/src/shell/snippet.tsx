import { useTranslations } from "use-intl";
import { IconButton } from "../ui/icon-button.tsx";
import { Check, Copy } from "../ui/icons.generated.ts";
import { useCopied } from "../ui/use-copied.ts";

/** A text to copy into a terminal or a program. */
export function Snippet(props: {
  readonly title: string;
  readonly text: string;
  /** The level of its heading within the page. */
  readonly heading?: "h2" | "h3" | "h4";
}) {
  const { title, text, heading: Heading = "h4" } = props;
  const t = useTranslations("reference");
  const { isCopied, copy } = useCopied();
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between gap-2">
        <Heading className="text-2 text-ink-2">
          <bdi>{title}</bdi>
        </Heading>
        <IconButton
          label={t("copy", { title })}
          icon={isCopied ? Check : Copy}
          onPress={() => copy(text)}
        />
        <span role="status" className="sr-only">
          {isCopied ? t("copied") : ""}
        </span>
      </div>
      <Code text={text} />
    </div>
  );
}

/** Code in lines; a long line wraps. */
export function Code({ text }: { readonly text: string }) {
  return (
    <code
      dir="ltr"
      className="block rounded-control bg-sunken px-3 py-2 font-mono text-2 leading-5 whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </code>
  );
}

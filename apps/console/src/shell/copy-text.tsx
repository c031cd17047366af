import { useTranslations } from "use-intl";
import { classes } from "../ui/classes.ts";
import { Check, Copy } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";
import { useCopied } from "../ui/use-copied.ts";
import { useMayCall } from "./mcp-call.ts";

/** Copies a text, such as the request of a page. On a phone there is no program to paste it into. */
export function CopyText(props: {
  readonly label: string;
  readonly text: () => string;
  /** Whether it stands in a line of small text. */
  readonly isSmall?: boolean;
}) {
  const { label, text, isSmall = false } = props;
  const t = useTranslations("grid");
  const { isCopied, copy } = useCopied();
  const Icon = isCopied ? Check : Copy;
  return (
    <ToolButton
      kind="bare"
      className={classes("max-md:hidden", isSmall && "h-6 px-1.5")}
      onClick={() => copy(text())}
    >
      <Icon size={isSmall ? 12 : 14} aria-hidden="true" />
      {label}
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </ToolButton>
  );
}

/** Copies the request of a page as a command, for a person who may have a token. */
export function CopyCurl(props: { readonly path: () => string; readonly isSmall?: boolean }) {
  const t = useTranslations("grid");
  const { path, isSmall = false } = props;
  if (!useMayCall()) return null;
  return <CopyText isSmall={isSmall} label={t("copyCurl")} text={() => curlCommand(path())} />;
}

/**
 * Returns a GET request as a command. The session stays out of it: other programs read the clipboard.
 *
 * @param path with its query
 */
export function curlCommand(path: string): string {
  // `encodeURIComponent` leaves the quote as it is.
  const url = `${location.origin}${path}`.replaceAll("'", "'\\''");
  return `curl '${url}' -H "Authorization: Bearer $TOKEN"`;
}

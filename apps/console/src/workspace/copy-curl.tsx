import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";

const shownMs = 2000;

/** A path of an API, with a button that copies its request as a command. */
export function CopyCurl({ path, name }: { readonly path: string; readonly name: string }) {
  const t = useTranslations("workspace");
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  // The session stays out of the command, since a clipboard is read by other programs.
  const command = `curl '${location.origin}${path}' -H "Authorization: Bearer $TOKEN"`;
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-2 text-ink-2" title={path}>
        {path}
      </code>
      <button
        type="button"
        aria-label={t("copy", { name })}
        onClick={() => void navigator.clipboard.writeText(command).then(() => setCopied(true))}
        className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <Icon size={14} aria-hidden="true" />
      </button>
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </div>
  );
}

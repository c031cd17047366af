import type { ReactNode } from "react";
import type { Components } from "react-markdown";
import Markdown from "react-markdown";
import { useTranslations } from "use-intl";
import { linkClasses } from "../../ui/classes.ts";

const allowed = [
  ...["p", "br", "strong", "em", "code", "pre", "blockquote", "hr", "a", "img"],
  ...["ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"],
];

/** A heading below the title of the panel, whatever its level in the text. */
function Heading({ children }: { readonly children?: ReactNode }) {
  return <h3 className="pt-1 font-semibold">{children}</h3>;
}

function ImageWords({ alt }: { readonly alt?: string | undefined }) {
  const t = useTranslations("panels");
  return <span className="text-ink-2">{t("image", { name: alt ?? "" })}</span>;
}

const components: Components = {
  h1: ({ children }) => <h3 className="text-4 font-semibold">{children}</h3>,
  ...{ h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading },
  ul: ({ children }) => <ul className="grid list-disc gap-0.5 ps-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="grid list-decimal gap-0.5 ps-5">
      {children}
    </ol>
  ),
  pre: ({ children }) => (
    <pre className="whitespace-pre-wrap rounded-control bg-sunken p-2 font-mono text-2">
      {children}
    </pre>
  ),
  code: ({ children }) => <code className="font-mono text-2">{children}</code>,
  hr: () => <hr className="border-line" />,
  blockquote: ({ children }) => (
    <blockquote className="grid gap-2 border-line-strong border-s-2 ps-3 text-ink-2">
      {children}
    </blockquote>
  ),
  a: ({ href, children }) =>
    href === undefined || href === "" ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={linkClasses}>
        {children}
      </a>
    ),
  // An image of another origin would tell that origin who reads the board.
  img: ({ alt }) => <ImageWords alt={alt} />,
};

/** Markdown without HTML of its own, without images, and with links to http, https and mail alone. */
export function MarkdownText({ markdown }: { readonly markdown: string }) {
  return (
    <div className="grid gap-2">
      <Markdown
        skipHtml
        allowedElements={allowed}
        unwrapDisallowed
        urlTransform={safeAddress}
        components={components}
      >
        {markdown}
      </Markdown>
    </div>
  );
}

function safeAddress(url: string): string {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url) && URL.canParse(url) ? url : "";
}

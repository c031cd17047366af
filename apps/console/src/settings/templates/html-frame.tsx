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

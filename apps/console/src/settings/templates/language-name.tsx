import { useLanguage } from "../../shell/language-provider.tsx";

/** The name of a language in the language of the page. */
export function LanguageName({ tag }: { readonly tag: string }) {
  const language = useLanguage();
  const names = new Intl.DisplayNames(language, { type: "language", fallback: "code" });
  return <bdi title={tag}>{names.of(tag)}</bdi>;
}

// The package has no types.
declare module "subset-font" {
  interface SubsetOptions {
    readonly targetFormat: "woff2";
    readonly variationAxes: Readonly<
      Record<string, { readonly min: number; readonly max: number }>
    >;
    /** Features of OpenType by their tags. */
    readonly keepFeatures: readonly string[];
    /** Entries of the table `name` by their numbers. */
    readonly preserveNameIds: readonly number[];
  }
  /** Reduces a font to the glyphs of a text. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: SubsetOptions,
  ): Promise<Uint8Array>;
}

interface Browser {
  readonly package: string;
  readonly file: string;
}

export declare const HEADLESS: Browser;
export declare const WHOLE: Browser;
export declare function browserFile(): string | undefined;

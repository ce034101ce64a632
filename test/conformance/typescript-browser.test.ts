import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/typescript-browser.ts';

conformanceOf(conformanceLanguage);

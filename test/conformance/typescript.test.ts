import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/typescript.ts';

conformanceOf(conformanceLanguage);

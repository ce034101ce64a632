import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/rust.ts';

conformanceOf(conformanceLanguage);

import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/go.ts';

conformanceOf(conformanceLanguage);

import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/java.ts';

conformanceOf(conformanceLanguage);

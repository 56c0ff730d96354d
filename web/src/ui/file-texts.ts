// The texts about files: part of the code of the components that use them, because several screens attach files.
import { addTexts } from '@/i18n/i18n';
import en from '@/locales/en/files.json';
import fil from '@/locales/fil/files.json';

addTexts('files', { en, fil });

package tierbench.common;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.converter.Converter;

@Configuration(proxyBeanMethods = false)
class Conversions {
  /** Of a parameter that is repeated, the first counts. Spring would join the values with commas. */
  @Bean
  Converter<String[], String> first() {
    return values -> values.length == 0 ? null : values[0];
  }
}

include(GNUInstallDirs)
install(TARGETS rtxbench RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES configs/gpus.json configs/report.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/rtxbench")
install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
